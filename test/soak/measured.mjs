// Loaded with --import into the command under soak: tells what it holds once all garbage is collected.
process.on('message', (asked) => {
  if (asked !== 'measure') return;
  for (let turn = 0; turn < 3; turn++) globalThis.gc();
  const { heapUsed, rss, external } = process.memoryUsage();
  process.send({ heapUsed, rss, external });
});
// The channel must not keep a process that was told to end.
process.channel?.unref();
