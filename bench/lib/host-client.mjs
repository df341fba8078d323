// Child process that runs one adapter's client against a URL. fork(host-client.mjs, [impl, url])
const [impl, url] = process.argv.slice(2);
const { connectHttp } = await import(new URL(`../adapters/${impl}/client.mjs`, import.meta.url));
const c = await connectHttp(url);
process.on('message', async (m) => {
  if (m.op === 'load') {
    const cpu0 = process.cpuUsage();
    const t0 = performance.now();
    const end = m.ms === undefined ? Infinity : t0 + m.ms;
    const total = m.n ?? Infinity;
    let n = 0;
    const lat = [];
    const worker = async () => {
      while (n < total && performance.now() < end) {
        const s = performance.now();
        await (m.call === 'sum' ? c.sum(2, 40) : c.echo('hello world'));
        lat.push(performance.now() - s);
        n++;
      }
    };
    await Promise.all(Array.from({ length: m.conc }, worker));
    const cpu = process.cpuUsage(cpu0);
    lat.sort((a, b) => a - b);
    process.send({
      id: m.id,
      rps: (n * 1000) / (performance.now() - t0),
      n,
      cpu: (cpu.user + cpu.system) / n,
      p50: 1000 * lat[n >> 1],
      p99: 1000 * lat[Math.floor(n * 0.99)],
      rss: process.memoryUsage().rss,
    });
  } else if (m.op === 'list' || m.op === 'progress') {
    const cpu0 = process.cpuUsage();
    const t0 = performance.now();
    let seen = 0;
    if (m.op === 'list') await c.list();
    else
      await c.progress(m.count, () => {
        seen++;
      });
    const cpu = process.cpuUsage(cpu0);
    process.send({ id: m.id, ms: performance.now() - t0, cpu: cpu.user + cpu.system, seen });
  }
});
process.on('disconnect', () => process.exit(0));
process.send({ ready: true });
