import { once } from "node:events";
import type { Autobattle } from "@autobattle/client";
import { type Config, Game, usual } from "@autobattle/plugin";
import { SquidHost } from "./host.js";
import { createMCServer, type Server, type Settings } from "./squid.js";

export { SquidHost } from "./host.js";
export { type FileSettings, readSettings, settingsOf } from "./settings.js";
export { itemsOf, type Server, type SquidPlayer, vec3 } from "./squid.js";

/** GAME_VERSION is the version of the game that this plugin is made for and tested with. */
export const GAME_VERSION = "1.20.1";

/** SquidOptions are what an operator sets for a server with the plugin. */
export interface SquidOptions {
  /** port for players, on 127.0.0.1 unless host says otherwise; 0: any. */
  port: number;
  host?: string;
  /** masters are the names of game masters. */
  masters?: readonly string[];
  /** config is the plugin's. */
  config?: Partial<Config>;
  /** settings are flying-squid's own, besides. */
  settings?: Settings;
  /** report gets a line when something goes wrong that no player has caused. */
  report?: (line: string) => void;
}

/** Running is a server with the plugin. */
export interface Running {
  readonly server: Server;
  readonly host: SquidHost;
  readonly game: Game;
  readonly port: number;
  /** close stops both; the battles wait on the battle server. */
  close(): Promise<void>;
}

/** start starts flying-squid with the plugin, and resumes the battles that were under way. */
export async function start(client: Autobattle, options: SquidOptions): Promise<Running> {
  const server = createMCServer({
    motd: "autobattle",
    "max-players": 20,
    "online-mode": false,
    logging: false,
    noConsoleOutput: true,
    gameMode: 2,
    difficulty: 1,
    generation: { name: "superflat", options: {} },
    kickTimeout: 10000,
    plugins: {},
    modpe: false,
    "view-distance": 4,
    "player-list-text": { header: { text: "autobattle" }, footer: { text: "" } },
    "everybody-op": false,
    "max-entities": 100,
    version: GAME_VERSION,
    ...options.settings,
    port: options.port,
    host: options.host ?? "127.0.0.1",
  });
  await Promise.all([server.pluginsReady || once(server, "pluginsReady"), once(server, "listening")]);
  const host = new SquidHost(server, { masters: options.masters ?? [] });
  const game = await Game.open(client, host, { ...usual, ...options.config }, options.report ?? (() => undefined));
  return {
    server,
    host,
    game,
    port: server.listeningPort,
    close: async () => {
      await game.close();
      server.stopTickInterval();
      for (const p of [...server.players]) p._client.emit("end");
      await server.destroy();
    },
  };
}
