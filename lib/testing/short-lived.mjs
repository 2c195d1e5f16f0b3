/**
 * Arguments of Node for a process that lives for seconds. By itself V8 spends a quarter of its processor time on optimising code
 * that hardly runs again: the WebAssembly of Prisma first of all, and what is a little hot at the start.
 */
export const SHORT_LIVED = ['--liftoff-only', '--interrupt-budget=1320000']
