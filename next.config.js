const development = process.env.NODE_ENV === 'development'

/**
 * Nothing from anywhere else, and no page inside another site's frame. Inline scripts are Next's own (its
 * stream of page data), inline styles those of the theme, the dialogs and the toasts.
 */
const contentSecurityPolicy = [
  "default-src 'self'",
  `script-src 'self' 'unsafe-inline'${development ? " 'unsafe-eval'" : ''}`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  `connect-src 'self'${development ? ' ws:' : ''}`,
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const pageHeaders = [
  { key: 'Content-Security-Policy', value: contentSecurityPolicy },
  { key: 'Referrer-Policy', value: 'same-origin' },
  { key: 'Permissions-Policy', value: 'camera=(), geolocation=(), microphone=(), payment=(), usb=()' },
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'X-Frame-Options', value: 'DENY' },
]

/** First segments of the app's pages. Not a pattern for "all but": a short link brings headers of its own. */
const PAGES =
  'admin|dashboard|docs|help|invite|login|logout|privacy|report|reset|setup|sign-in|sign-up|signin|signup|stats|status|terms|verify'

/** @type {import('next').NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  images: { unoptimized: true },
  // Types are a step of their own (`npm run types`), with the compiler this project uses.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: [
    '@node-rs/argon2',
    '@prisma/adapter-mariadb',
    '@prisma/client',
    'ioredis',
    'mariadb',
    'murmurhash',
    'pino',
    'prom-client',
  ],
  // A header set here wins over the same header of a route handler, hence the narrow sources.
  headers: async () => [
    { source: '/:path*', headers: [{ key: 'X-Content-Type-Options', value: 'nosniff' }] },
    { source: '/', headers: pageHeaders },
    { source: `/:page(${PAGES})/:rest*`, headers: pageHeaders },
  ],
}
