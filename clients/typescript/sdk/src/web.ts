import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-web";
import { Autobattle, type Options } from "./client.js";

/** WebOptions are what a client in a browser needs. */
export interface WebOptions extends Options {
  /** protocol is connect (default) or grpc-web; both speak to the HTTP port. */
  protocol?: "connect" | "grpc-web";
  /** fetch replaces the browser's own. */
  fetch?: typeof globalThis.fetch;
}

/** connectWeb reaches a server from a browser and shakes hands with it; see Autobattle.connect. */
export function connectWeb(options: WebOptions): Promise<Autobattle> {
  const make = options.protocol === "grpc-web" ? createGrpcWebTransport : createConnectTransport;
  const fetching = options.fetch ? { fetch: options.fetch } : {};
  return Autobattle.connect(options, (interceptors) => make({ baseUrl: options.url, interceptors, ...fetching }), false);
}
