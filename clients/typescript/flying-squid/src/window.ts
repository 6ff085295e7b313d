import type { Click, Icon, Menu, MenuItem } from "@autobattle/plugin";
import type { Client, itemsOf, Registry } from "./squid.js";

type Items = ReturnType<typeof itemsOf>;

/** pictures are the items that stand for a menu's icons; of each the first that the game version has. */
const pictures: Readonly<Record<Icon, readonly string[]>> = {
  act: ["iron_sword"],
  move: ["leather_boots"],
  defend: ["shield", "iron_chestplate"],
  grey: ["gray_dye", "dye"],
  person: ["player_head", "skull", "name_tag"],
  thing: ["chest"],
  body: ["armor_stand"],
  option: ["paper"],
  chosen: ["writable_book"],
  number: ["gold_nugget"],
  ok: ["emerald"],
  back: ["arrow"],
  page: ["book"],
  info: ["glass_pane"],
};

const SLOTS = 54;

/** WindowMenu is a player's menu: a chest window of six rows, whose clicks come here and move nothing. */
export class WindowMenu {
  readonly #client: Client;
  readonly #registry: Registry;
  readonly #items: Items;
  #windowId = 0;
  #open = false;
  #menu: Menu = { title: "", items: [] };

  constructor(client: Client, registry: Registry, items: Items) {
    this.#client = client;
    this.#registry = registry;
    this.#items = items;
  }

  /** attach begins to listen. It keeps clicks in our windows from flying-squid, which would do them to the player's own things. */
  attach(clicked: (click: Click) => void, closed: () => void): void {
    const own = this.#client.listeners("window_click");
    this.#client.removeAllListeners("window_click");
    this.#client.on("window_click", (f: { windowId: number; slot: number; mouseButton: number; action?: number }) => {
      if (!this.#open || f.windowId !== this.#windowId) {
        if (f.windowId === 0) for (const listener of own) listener.call(this.#client, f);
        return;
      }
      if (f.action !== undefined) this.#client.write("transaction", { windowId: f.windowId, action: f.action, accepted: true });
      if (f.slot >= 0 && f.slot < SLOTS && this.#menu.items[f.slot]) clicked({ at: f.slot, more: f.mouseButton === 1 });
      else this.#fill();
    });
    this.#client.on("close_window", (f: { windowId: number }) => {
      if (!this.#open || f.windowId !== this.#windowId) return;
      this.#open = false;
      closed();
    });
  }

  /** show opens the menu. A window cannot change its title, so that another title opens another window. */
  show(menu: Menu): void {
    const again = this.#open && menu.title === this.#menu.title;
    this.#menu = menu;
    if (!again) {
      this.#windowId = (this.#windowId % 100) + 1;
      this.#open = true;
      const windowTitle = JSON.stringify({ text: menu.title });
      if (this.#registry.supportFeature("stateIdUsed")) this.#client.write("open_window", { windowId: this.#windowId, inventoryType: 5, windowTitle });
      else this.#client.write("open_window", { windowId: this.#windowId, inventoryType: "minecraft:chest", windowTitle, slotCount: SLOTS });
    }
    this.#fill();
  }

  /** close closes the menu. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#client.write("close_window", { windowId: this.#windowId });
  }

  #fill(): void {
    const none = this.#items.toNotch(null);
    const items = Array.from({ length: SLOTS }, (_, i) => {
      const item = this.#menu.items[i];
      return item ? this.#item(item) : none;
    });
    this.#client.write("window_items", { windowId: this.#windowId, stateId: 1, items, carriedItem: none });
    this.#client.write("set_slot", { windowId: -1, stateId: 1, slot: -1, item: none });
  }

  #item(item: MenuItem): unknown {
    const type = pictures[item.icon].map((name) => this.#registry.itemsByName[name]?.id).find((id) => id !== undefined) ?? 1;
    const json = this.#registry.supportFeature("theFlattening");
    const text = (t: string) => (json ? JSON.stringify({ text: t, italic: false }) : t);
    const display = {
      Name: { type: "string", value: text(item.name) },
      Lore: { type: "list", value: { type: "string", value: item.lore.map(text) } },
    };
    const nbt = { type: "compound", name: "", value: { display: { type: "compound", value: display } } };
    return this.#items.toNotch(new this.#items(type, 1, nbt));
  }
}
