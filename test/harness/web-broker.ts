// A broker over WebSockets for tests: passes what clients say on to a real broker that speaks TCP alone, and back.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { pipeline } from 'node:stream';
import { createWebSocketStream, WebSocketServer } from 'ws';

export interface WebBroker {
  readonly url: URL;
  /** Paths that clients asked for, and the subprotocols that they offered. */
  readonly asked: { readonly path: string; readonly protocol: string }[];
  close(): void;
}

/** `tls`: key and certificate in PEM; null: `ws://`. */
export async function openWebBroker(
  brokerPort: number,
  tls: { readonly key: string; readonly cert: string } | null,
): Promise<WebBroker> {
  const server: Server = tls === null ? createServer() : createSecureServer(tls);
  const asked: { path: string; protocol: string }[] = [];
  const sockets = new WebSocketServer({ server, path: '/mqtt' });
  sockets.on('connection', (socket, request) => {
    asked.push({ path: request.url ?? '', protocol: request.headers['sec-websocket-protocol'] ?? '' });
    const fromClient = createWebSocketStream(socket);
    const toBroker = connect({ port: brokerPort, host: '127.0.0.1', noDelay: true });
    // The end of one is the end of the other.
    pipeline(fromClient, toBroker, fromClient, () => {
      socket.terminate();
      toBroker.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`${tls === null ? 'ws' : 'wss'}://127.0.0.1:${String(port)}/mqtt`),
    asked,
    close: () => {
      for (const socket of sockets.clients) {
        socket.terminate();
      }
      server.close();
      server.closeAllConnections();
    },
  };
}
