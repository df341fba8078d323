// The parts of Bun and Deno that the examples use.

interface Serving {
  readonly port: number;
}

declare const Bun: {
  serve(options: {
    port: number;
    hostname: string;
    idleTimeout: number;
    routes: { readonly [path: string]: Response | ((request: Request) => Promise<Response>) };
  }): Serving & { stop(): Promise<void> };
};

declare const Deno: {
  readonly args: readonly string[];
  serve(
    options: { port: number; hostname: string; onListen: (address: Serving) => void },
    handler: (request: Request) => Response | Promise<Response>,
  ): { shutdown(): Promise<void> };
  addSignalListener(signal: 'SIGTERM', listener: () => void): void;
  exit(code?: number): never;
};
