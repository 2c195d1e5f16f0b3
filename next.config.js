/** The Content-Security-Policy is proxy.ts's: it changes with every answer. */
const pageHeaders = [
  { key: 'Referrer-Policy', value: 'same-origin' },
  { key: 'Permissions-Policy', value: 'camera=(), geolocation=(), microphone=(), payment=(), usb=()' },
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'X-Frame-Options', value: 'DENY' },
]

/** The pages, as lib/pages.ts has them. Not a pattern for "all but": a short link brings headers of its own. */
const PAGES =
  '@\\d{8}|@[A-Za-z][\\w-]{2,29}|admin|dashboard|docs|help|invite|login|logout|privacy|profile|report|reset|reset-password|setup|sign-in|sign-up|signin|signup|stats|status|terms|verify'

/** Public pages have addresses that a folder of app/ cannot spell: `/@48213370`, `/@mia`. */
const rewrites = [{ source: '/@:handle(\\d{8}|[A-Za-z][\\w-]{2,29})', destination: '/profile/:handle' }]

/**
 * Addresses below a page that are no page's, and pages that there are none of yet. The app's own page says so, with 404: without
 * these they would be taken for codes. Asked after the pages and before the routes with parameters; `admin` and `dashboard`
 * have a route for the rest, within their frame. lib/pages.test.ts holds that none is left out.
 */
const NO_PAGES = [
  '/:page(docs|help|login|logout|privacy|report|reset|reset-password|setup|sign-in|sign-up|signin|signup|status|terms|verify)/:rest*',
  '/:page(invite|profile|stats)',
  '/:page(invite|profile)/:id/:rest+',
  '/:page(@\\d{8}|@[A-Za-z][\\w-]{2,29})/:rest+',
]
/** A profile that there is none of, since Next.js has no address for its not-found page. */
const missing = NO_PAGES.map((source) => ({ source, destination: '/profile/none' }))

/** Messages are parsed by lib/i18n/compile.ts, so that the browser brings no parser along. For every bundle alike. */
export const MESSAGE_ALIAS = { 'use-intl/format-message': 'use-intl/format-message/format-only' }

/** @type {import('next').NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  images: { unoptimized: true },
  // Everyone gets what only some robots would: the title with the page. Sent after it, as is Next.js's way for all others, a page
  // has none for a moment, which screen readers read out, and without scripts it is never moved into the head.
  htmlLimitedBots: /.*/,
  // A page is loaded when it is first asked for: to load all of them takes a third of the time of a start, during which redirects
  // wait.
  experimental: { preloadEntriesOnStart: false },
  turbopack: { resolveAlias: MESSAGE_ALIAS },
  // Types are a step of their own (`npm run types`), with the compiler this project uses.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: [
    '@node-rs/argon2',
    '@node-rs/bcrypt',
    '@prisma/adapter-mariadb',
    '@prisma/client',
    'ioredis',
    'mariadb',
    'murmurhash',
    'pdfkit',
    'pino',
    'prom-client',
    'sharp',
  ],
  rewrites: async () => ({ beforeFiles: rewrites, afterFiles: missing, fallback: [] }),
  // A header set here wins over the same header of a route handler, hence the narrow sources.
  headers: async () => [
    { source: '/:path*', headers: [{ key: 'X-Content-Type-Options', value: 'nosniff' }] },
    { source: '/', headers: pageHeaders },
    { source: `/:page(${PAGES})/:rest*`, headers: pageHeaders },
    // Their addresses hold a secret, which a short link on this very site would be told. Not `no-referrer`: with that,
    // browsers send forms without their Origin.
    { source: '/:page(invite|reset-password|setup)/:rest*', headers: [{ key: 'Referrer-Policy', value: 'strict-origin' }] },
  ],
}
