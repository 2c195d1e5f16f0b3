import type { Metadata, Viewport } from 'next'
import localFont from 'next/font/local'
import type { ReactNode } from 'react'
import { SentFailure } from '@/app/_parts/sent-failure'
import { SiteFooter, SiteHeader } from '@/app/_parts/site-header'
import { baseUrl } from '@/app/_server/base-url'
import { brand } from '@/app/_server/brand'
import { getTranslations, pageLocale } from '@/app/_server/locale'
import { ProvideMessages } from '@/app/_server/messages'
import { pageScheme } from '@/app/_server/scheme'
import { Toasts } from '@/app/_ui/base/toasts'
import { NoScriptStyle } from '@/app/_ui/base/without-scripts'
import { pngIconUrl } from '@/lib/brand/icon-png'
import { runtime } from '@/lib/runtime'
import './globals.css'

/** Each answer has scripts with a nonce of its own (proxy.ts): no page can be made beforehand. */
export const dynamic = 'force-dynamic'

/** What a page says of itself where it is shared; its own title and description stand in for these. */
export async function generateMetadata(): Promise<Metadata> {
  const site = await brand()
  const { name, icon, image, mark } = site
  const t = await getTranslations('base')
  return {
    metadataBase: new URL(await baseUrl()),
    title: { default: t('site.title', { name }), template: `%s · ${name}` },
    description: t('site.description'),
    applicationName: name,
    icons: { icon, apple: mark === null ? pngIconUrl('touch-icon.png', site) : mark.side === null ? undefined : icon },
    openGraph: { type: 'website', siteName: name, ...(image && { images: [image] }) },
    twitter: { card: image && image.width > image.height ? 'summary_large_image' : 'summary' },
  }
}

/** The letters of western Europe: all that our own words need. */
const sans = localFont({
  src: '../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
  weight: '100 900',
  variable: '--font-sans-latin',
})

/** More Latin letters, fetched only by a page that holds one. */
const sansMore = localFont({
  src: '../node_modules/@fontsource-variable/geist/files/geist-latin-ext-wght-normal.woff2',
  weight: '100 900',
  variable: '--font-sans-latin-ext',
  preload: false,
  adjustFontFallback: false,
  declarations: [
    {
      prop: 'unicode-range',
      value:
        'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF',
    },
  ],
})

/** The colour of the browser's bars: that of the page's ground. */
const BARS = { light: '#f8f8f6', dark: '#111316' }

export async function generateViewport(): Promise<Viewport> {
  const scheme = await pageScheme()
  if (scheme !== 'system') return { colorScheme: scheme, themeColor: BARS[scheme] }
  return {
    colorScheme: 'light dark',
    themeColor: [
      { media: '(prefers-color-scheme: light)', color: BARS.light },
      { media: '(prefers-color-scheme: dark)', color: BARS.dark },
    ],
  }
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const { css, schemes } = await brand()
  const { language } = await pageLocale()
  const { LINK_SCHEMES } = (await runtime()).config
  const t = await getTranslations('base')
  return (
    <html
      lang={language}
      data-scheme={await pageScheme()}
      // The schemes of apps that links may lead to, for the forms of links.
      data-apps={LINK_SCHEMES.length > 0 ? LINK_SCHEMES.join(' ') : undefined}
      className={`${sans.variable} ${sansMore.variable}`}
    >
      <head>
        <style>{css + schemes}</style>
        <NoScriptStyle />
      </head>
      <body className="flex min-h-dvh flex-col">
        <a
          href="#content"
          className="sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:rounded-control focus:bg-accent focus:px-4 focus:py-2 focus:text-accent-fg"
        >
          {t('skip')}
        </a>
        <ProvideMessages of={['base', 'forms']}>
          <SiteHeader />
          <main id="content" tabIndex={-1} className="mx-auto w-full max-w-5xl flex-1 px-4 sm:px-6">
            <SentFailure />
            {children}
          </main>
          <SiteFooter />
          <Toasts />
        </ProvideMessages>
      </body>
    </html>
  )
}
