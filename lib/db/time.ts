/** A time, in ms since 1970 UTC, as DATETIME(3) columns hold it. Plain SQL takes no Date: the driver would write it in this process's zone. */
export const sqlTime = (at: number) => new Date(at).toISOString().slice(0, 23).replace('T', ' ')
