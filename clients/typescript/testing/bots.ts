import { once } from "node:events";
import { createBot, type Bot } from "mineflayer";
import { eventually } from "./server.js";

/** Shown is an item of a menu, as a player sees it. */
export interface Shown {
  slot: number;
  name: string;
  lore: string[];
  grey: boolean;
}

/** Player is a real client: it walks, looks, reads its chat and clicks in its menu. */
export class Player {
  readonly bot: Bot;
  /** chat is every line that came into his chat. */
  readonly chat: string[] = [];
  /** bar is the last line of his action bar. */
  bar = "";
  /** marks counts the particles that he was shown. */
  marks = 0;
  /** shows counts how often a menu was filled. */
  shows = 0;

  readonly #waiting: (() => void)[] = [];

  private constructor(bot: Bot) {
    this.bot = bot;
    bot.on("messagestr", (text: string, position: string) => {
      if (position === "game_info") this.bar = text;
      else this.chat.push(text);
    });
    bot._client.on("packet", (f: { windowId?: number }, meta: { name: string }) => {
      if (meta.name === "window_items" && f.windowId !== 0) {
        this.shows++;
        for (const wake of this.#waiting.splice(0)) wake();
      }
      if (meta.name === "world_particles") this.marks++;
    });
  }

  /** join connects a player and waits until he stands in the world. */
  static async join(port: number, name: string, version = "1.20.1"): Promise<Player> {
    const bot = createBot({ host: "127.0.0.1", port, username: name, version, auth: "offline", hideErrors: true, viewDistance: "tiny" });
    const p = new Player(bot);
    await Promise.race([once(bot, "spawn"), once(bot, "kicked").then(([why]) => Promise.reject(new Error(`kicked: ${String(why)}`)))]);
    return p;
  }

  /** id is the host's id of him. */
  get id(): string {
    return this.bot._client.uuid;
  }

  /** menu is what he sees of his menu; none: it is closed. */
  get menu(): { title: string; items: Shown[] } | undefined {
    const w = this.bot.currentWindow;
    if (!w) return undefined;
    const items = w.slots.slice(0, 54).flatMap((item, slot) => {
      if (!item) return [];
      const nbt: unknown = item.nbt;
      const display = path(nbt, "value", "display", "value");
      const lore = path(display, "Lore", "value", "value");
      return [{ slot, name: plain(path(display, "Name", "value")), lore: Array.isArray(lore) ? lore.map(plain) : [], grey: item.name === "gray_dye" || item.name === "dye" }];
    });
    return { title: plain(w.title), items };
  }

  /** sees waits for an item that can be clicked. */
  sees(name: RegExp): Promise<Shown> {
    const what = () => `${this.bot.username} should see ${name} in ${JSON.stringify(this.menu?.items.map((i) => i.name))}\n${this.chat.slice(-15).join("\n")}`;
    return eventually(what, () => this.menu?.items.find((i) => !i.grey && name.test(i.name)));
  }

  /** click clicks an item once it is there. */
  async click(name: RegExp, right = false): Promise<Shown> {
    const item = await this.sees(name);
    this.press(item.slot, right);
    return item;
  }

  /** press sends a click, as a real client does, and waits for nothing. */
  press(slot: number, right = false): void {
    const w = this.bot.currentWindow;
    if (!w) throw new Error("no menu is open");
    void this.bot.clickWindow(slot, right ? 1 : 0, 0).catch(() => undefined);
  }

  /** nextMenu waits for the next time that a menu is filled. */
  nextMenu(): Promise<void> {
    return new Promise((wake) => this.#waiting.push(wake));
  }

  /** hears waits for a line of his chat. */
  hears(line: RegExp): Promise<string> {
    return eventually(() => `${this.bot.username} should hear ${line} in\n${this.chat.slice(-15).join("\n")}`, () => this.chat.find((l) => line.test(l)));
  }

  /** says types into the chat. */
  says(line: string): void {
    this.bot.chat(line);
  }

  /** breaks sends what a client in creative mode sends when it strikes a block. */
  breaks(location: { x: number; y: number; z: number }): void {
    this.bot._client.write("block_dig", { status: 0, location, face: 1, sequence: 1 });
  }

  /** leave disconnects. */
  async leave(): Promise<void> {
    const gone = once(this.bot, "end");
    this.bot.quit();
    await gone;
  }
}

function path(value: unknown, ...keys: string[]): unknown {
  let v = value;
  for (const k of keys) v = typeof v === "object" && v !== null ? Reflect.get(v, k) : undefined;
  return v;
}

/** plain is the text of a name or a title: plain, or a text component. */
function plain(v: unknown): string {
  if (typeof v !== "string") return plain(path(v, "text") ?? path(v, "value", "text", "value") ?? JSON.stringify(v) ?? "");
  try {
    const parsed: unknown = JSON.parse(v);
    const text = path(parsed, "text");
    return typeof text === "string" ? text : v;
  } catch {
    return v;
  }
}
