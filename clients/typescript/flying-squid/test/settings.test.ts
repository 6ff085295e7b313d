import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readSettings, settingsOf } from "@autobattle/flying-squid";
import { personOf } from "@autobattle/plugin";

const play = fileURLToPath(new URL("../play/", import.meta.url));

describe("the configuration file", () => {
  it("that comes along can be read, with its characters beside it", async () => {
    const s = await readSettings(`${play}config.yaml`);
    expect(s).toMatchObject({ port: 25565, host: "127.0.0.1", config: { name: "play", characters: `${play}characters`, items: { "minecraft:bow": "bow" } } });
    for (const name of ["default", "dummy"]) {
      expect(personOf(`${name}.yaml`, readFileSync(`${play}characters/${name}.yaml`, "utf8"), name).sheet.traits.length).toBeGreaterThan(7);
    }
  });

  it.each([
    ["port: many", "must give port as a whole number"],
    ["name: Über", "must give name as at most 21 small letters"],
    ["masters: Gm", "must give masters as a list of names"],
    ["items: {a: 1}", "must give items as names with names"],
    ["colour: red", "has a field colour, which is not known"],
    ["a: [", "is no YAML"],
  ])("%s is refused", (text, why) => {
    expect(() => settingsOf("c.yaml", text)).toThrow(`The configuration file c.yaml ${why}`);
  });

  it("that is not there is named", async () => {
    await expect(readSettings("/nowhere/c.yaml")).rejects.toThrow("There is no configuration file /nowhere/c.yaml.");
  });
});
