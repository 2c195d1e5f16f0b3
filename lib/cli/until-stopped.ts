/** Aborted by Ctrl-C, and when this process is told to stop: what a command began is removed, and no half file is left. */
export function untilStopped(): AbortSignal {
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => stop.abort())
  return stop.signal
}
