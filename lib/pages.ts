/**
 * First path segments of the app's pages, there now or kept free for one. Next.js reads next.config.js and proxy.ts by
 * itself, so they spell the list out; lib/pages.test.ts holds both, and `app/`, against this one.
 */
export const PAGES = [
  'admin',
  'dashboard',
  'docs',
  'help',
  'invite',
  'login',
  'logout',
  'privacy',
  'profile',
  'report',
  'reset',
  'reset-password',
  'setup',
  'sign-in',
  'sign-up',
  'signin',
  'signup',
  'stats',
  'status',
  'terms',
  'verify',
] as const
