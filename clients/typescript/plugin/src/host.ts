import type { BlockInit, Where } from "@autobattle/client";
import type { Posture, Vector } from "./conventions.js";

/** HostInfo is what a game server is, for the battle server's logs. */
export interface HostInfo {
  /** game is the game and its edition: minecraft-java, minecraft-bedrock, luanti. */
  game: string;
  /** gameVersion is its version. */
  gameVersion: string;
  /** plugin is the adapter's name. */
  plugin: string;
  /** pluginVersion is its version. */
  pluginVersion: string;
}

/** HostPlayer is somebody who is connected. */
export interface HostPlayer {
  /** id stays the same when he comes back. */
  readonly id: string;
  /** name is what people call him. */
  readonly name: string;
  /** locale is the language of his client, such as ru_ru; empty: not known. */
  readonly locale: string;
  /** master says that he may do what a game master does. */
  readonly master: boolean;
}

/** HostPose is where somebody is, by one convention for all hosts: see conventions.ts. */
export interface HostPose {
  /** feet is the middle of the feet, in blocks. */
  feet: Vector;
  /** look is where the eyes point, of length 1, +x east, +y up, +z as in the host's blocks. */
  look: Vector;
  /** posture is how he holds himself. */
  posture: Posture;
}

/** HostItem is a thing that a player holds or wears. */
export interface HostItem {
  /** place is where: main, off, head, chest, legs, feet. */
  place: string;
  /** name is the host's name of it, such as minecraft:iron_sword. */
  name: string;
}

/** Blocks is a box of blocks as it was read. */
export interface Blocks {
  /** kinds are the kinds of blocks that occur. */
  kinds: readonly BlockInit[];
  /** at is the index of a cell's kind. */
  at(x: number, y: number, z: number): number;
}

/** Icon says what a menu item is, for a host to pick a picture. */
export type Icon = "act" | "move" | "defend" | "grey" | "person" | "thing" | "body" | "option" | "chosen" | "number" | "ok" | "back" | "page" | "info";

/** MenuItem is one thing to click. */
export interface MenuItem {
  icon: Icon;
  /** name is one line. */
  name: string;
  /** lore is what stands below it, one line each. */
  lore: readonly string[];
}

/** Menu is a list of items to click, at most 54, laid out in rows of 9. Gaps are undefined. */
export interface Menu {
  title: string;
  items: readonly (MenuItem | undefined)[];
}

/** Click is a click on a menu's item. */
export interface Click {
  /** at is the item's place in Menu.items. */
  at: number;
  /** more is set for a right click: show what else can be chosen. */
  more: boolean;
}

/** Listener is what the plugin's core wants to hear from a host. */
export interface Listener {
  joined(player: HostPlayer): void;
  left(player: HostPlayer): void;
  /** moved comes after every change of place, look or posture that the player himself made. */
  moved(player: HostPlayer): void;
  /** command is a line after /autobattle. */
  command(player: HostPlayer, line: string): void;
  clicked(player: HostPlayer, click: Click): void;
  /** closed comes when the player closes his menu, not when the plugin does. */
  closed(player: HostPlayer): void;
  /** changed comes after a block was changed by anything but VoxelHost.setBlock. */
  changed(at: Where, block: BlockInit): void;
}

/**
 * VoxelHost is everything that the plugin needs of a game server. Whoever writes it for another server has the whole plugin
 * there. It hides the server's conventions: angles, eye heights, crouching, block states.
 */
export interface VoxelHost {
  readonly info: HostInfo;
  /** listen says who hears of what happens; it is called once. */
  listen(listener: Listener): void;
  players(): readonly HostPlayer[];
  /** pose is where a player is now; none when he is not connected. */
  pose(playerId: string): HostPose | undefined;
  /** items are what he holds and wears. */
  items(playerId: string): readonly HostItem[];
  /** teleport puts him into a pose. */
  teleport(playerId: string, pose: HostPose): void;
  /** readBlocks reads the blocks from min to max, both included. It rejects with a sentence when some are not there. */
  readBlocks(min: Where, max: Where): Promise<Blocks>;
  /** setBlock puts a block that a rule made, by its name; false: the host knows no such block. */
  setBlock(at: Where, name: string): Promise<boolean>;
  /** showMenu opens a menu, or changes the one that is open. */
  showMenu(playerId: string, menu: Menu): void;
  /** closeMenu closes it. */
  closeMenu(playerId: string): void;
  /** tell writes into his chat. */
  tell(playerId: string, text: string): void;
  /** status shows one line that stays while it is repeated, such as an action bar. */
  status(playerId: string, text: string): void;
  /** mark shows cells that he can reach, for a moment; the plugin repeats it. */
  mark(playerId: string, cells: readonly Where[]): void;
  /** figure shows somebody who is no player, or moves him. */
  figure(key: string, name: string, pose: HostPose): void;
  /** unfigure takes him away. */
  unfigure(key: string): void;
}
