// node cold-import.mjs SPECIFIER: what importing a module costs in a process that has imported nothing else.
const cpu0 = process.cpuUsage();
const t0 = performance.now();
await import(process.argv[2]);
const ms = performance.now() - t0;
const cpu = process.cpuUsage(cpu0);
const rss = process.memoryUsage().rss / 1048576;
process.stdout.write(JSON.stringify({ import: ms, cpu: (cpu.user + cpu.system) / 1000, rss }));
process.exit(0);
