import { createConnectTransport, createGrpcTransport, createGrpcWebTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { Autobattle, type Options } from "./client.js";

/** NodeOptions are what a client in Node needs. */
export interface NodeOptions extends Options {
  /** protocol is grpc (the gRPC port; default), connect or grpc-web (the HTTP port). */
  protocol?: "grpc" | "connect" | "grpc-web";
  /** node holds what Node's http2 or http1 connections take, such as certificates (ca, cert, key). */
  node?: { ca?: string | Buffer; cert?: string | Buffer; key?: string | Buffer };
}

/** connectNode reaches a server from Node and shakes hands with it; see Autobattle.connect. */
export function connectNode(options: NodeOptions): Promise<Autobattle> {
  const baseUrl = options.url;
  const nodeOptions = options.node ?? {};
  switch (options.protocol ?? "grpc") {
    case "grpc": {
      const sessionManager = new Http2SessionManager(baseUrl, { pingIntervalMs: 30_000, pingTimeoutMs: 5_000 }, nodeOptions);
      return Autobattle.connect(options, (interceptors) => createGrpcTransport({ baseUrl, interceptors, sessionManager }), true);
    }
    case "connect":
      return Autobattle.connect(options, (interceptors) => createConnectTransport({ baseUrl, interceptors, httpVersion: "1.1", nodeOptions }), false);
    case "grpc-web":
      return Autobattle.connect(options, (interceptors) => createGrpcWebTransport({ baseUrl, interceptors, httpVersion: "1.1", nodeOptions }), false);
  }
}
