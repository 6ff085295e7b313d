import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { connectNode } from "@autobattle/client/node";
import { readSettings } from "./settings.js";
import { GAME_VERSION, start } from "./index.js";

// node dist/main.js CONFIG.yaml: a Minecraft server with the plugin, until it is interrupted.

const usage = "usage: node dist/main.js CONFIG.yaml";

async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [file] = positionals;
  if (!file) throw new Error(usage);
  const s = await readSettings(file);
  const key = process.env["AUTOBATTLE_KEY"] ?? (await readFile(s.keyFile, "utf8").catch(() => ""));
  if (key.trim() === "") throw new Error(`There is no key in ${s.keyFile}: start autobattled with --local-key ${s.keyFile}, or set AUTOBATTLE_KEY.`);
  const client = await connectNode({ url: s.url, key: key.trim(), client: "autobattle-flying-squid", roles: ["plugin", "master"], features: ["report_poses", "preview", "inspect"] });
  const running = await start(client, { port: s.port, host: s.host, masters: s.masters, config: s.config, report: (line) => console.error(line) });
  console.log(`Minecraft ${GAME_VERSION} on ${s.host}:${running.port}, battles by autobattled ${client.info.serverVersion} at ${s.url}. In the game: /ab help`);
  const stop = () => {
    running
      .close()
      .catch((e: unknown) => console.error(e))
      .finally(() => process.exit(0));
  };
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
}

main().catch((e: unknown) => {
  console.error(e instanceof Error ? e.message : e);
  process.exit(1);
});
