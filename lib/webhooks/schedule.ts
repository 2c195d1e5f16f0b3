import { DAY, HOUR, MINUTE } from '@/lib/tools/time'

/** Pauses after the first attempt, the second and so on, in ms: the last attempt is a day after the first. */
const PAUSES = [5_000, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 8 * HOUR]
/** The share of a pause, 0 to 1, that chance adds, so that what failed together is not tried together. */
const JITTER = 0.1

/** For how long an event is tried, in ms. */
export const TRIED_FOR = DAY
/** How long events are kept, so that they can be looked at and sent again, in ms. */
export const EVENTS_KEPT = 7 * DAY
/** What still waits then is kept this long at most, in ms: nothing is tried any more, unless no process sent for days. */
export const WAITING_KEPT = 2 * EVENTS_KEPT
/** How long a webhook may fail before it is turned off, in ms. */
export const FAILING_FOR = 3 * DAY
/** A webhook is turned off only once something was tried that often: not by one hiccup, where it is seldom told anything. */
export const TRIES_BEFORE_OFF = 5

/** Pauses of a whole webhook after turns in which nothing was taken, in ms: what waits is not tried one by one. */
const [FIRST_REST, LONGEST_REST] = [5_000, 5 * MINUTE]

/**
 * How long to wait after an attempt that failed.
 * @param attempts those so far
 * @returns ms
 */
export function pauseAfter(attempts: number, random = Math.random()): number {
  const pause = PAUSES[Math.min(attempts, PAUSES.length) - 1] ?? FIRST_REST
  return Math.round(pause * (1 + JITTER * random))
}

/** How long a webhook rests after so many turns in which nothing was taken, in ms. */
export const restAfter = (failures: number) => Math.min(FIRST_REST * 2 ** Math.max(0, failures - 1), LONGEST_REST)
