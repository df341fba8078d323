// Child process that hosts one adapter's HTTP server. Spoken to over IPC.
//   fork(host-http.mjs, [impl, port, toolCount])
const [impl, port, tools] = process.argv.slice(2);
const { start, wire } = await import(new URL(`../adapters/${impl}/http-server.mjs`, import.meta.url));
const srv = await start({ port: Number(port), tools: Number(tools ?? 0) });
process.on('message', async (m) => {
  if (m.op === 'stats') {
    if (m.gc) {
      globalThis.gc?.();
      await new Promise((r) => setTimeout(r, 50));
      globalThis.gc?.();
    }
    const c = process.cpuUsage();
    const mem = process.memoryUsage();
    process.send({ id: m.id, cpu: c.user + c.system, rss: mem.rss, heap: mem.heapUsed, ext: mem.external });
  } else if (m.op === 'broadcast') {
    const t = performance.now();
    await srv.broadcast?.();
    process.send({ id: m.id, ms: performance.now() - t });
  } else if (m.op === 'exit') {
    process.exit(0);
  }
});
process.on('disconnect', () => process.exit(0));
process.send({ ready: srv.url, wire: wire ?? 'modern' });
