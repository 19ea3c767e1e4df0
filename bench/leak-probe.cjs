/** Preloaded into a gateway started with `--expose-gc`: on SIGUSR2 it collects, and prints what is left. */
process.on('SIGUSR2', () => {
  // Twice, with a turn in between: finalizers of the first free what the second collects.
  global.gc();
  setTimeout(() => {
    global.gc();
    const { heapUsed, external, rss } = process.memoryUsage();
    const handles = process.getActiveResourcesInfo().length;
    process.stderr.write(`leak-probe ${JSON.stringify({ heapUsed, external, rss, handles })}\n`);
  }, 500);
});
