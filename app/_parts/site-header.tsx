import Link from 'next/link'
import { brand } from '@/app/_server/brand'
import { getTranslations, pageLocale } from '@/app/_server/locale'
import { pageScheme } from '@/app/_server/scheme'
import { Logo } from '@/app/_ui/base/logo'
import { markHtml } from '@/lib/brand/brand'
import { LANGUAGES } from '@/lib/i18n/languages'
import { LanguageSwitch } from './language-switch'
import { MainNav } from './main-nav'
import { SchemeSwitch } from './scheme-switch'

export async function SiteHeader() {
  const site = await brand()
  return (
    <header className="mx-auto flex h-16 w-full max-w-5xl items-center justify-between gap-3 px-4 sm:px-6">
      <Link
        href="/"
        className="-ml-2 inline-flex max-w-[34vw] shrink-0 items-center gap-2.5 rounded-control px-2 py-2 text-lg font-semibold tracking-tight sm:max-w-[50vw]"
      >
        <Logo mark={markHtml(site)} />
        <span className="truncate">{site.name}</span>
      </Link>
      <MainNav />
    </header>
  )
}

const linkClass = 'underline underline-offset-2 hover:text-fg'

export async function SiteFooter() {
  const { name, links } = await brand()
  const { language } = await pageLocale()
  const t = await getTranslations('base')
  return (
    <footer className="mx-auto w-full max-w-5xl px-4 pt-16 pb-8 text-[13px] text-muted sm:px-6">
      <p>
        {t('footer.line', { name })} {t.rich('footer.preview', { code: (plus) => <code className="font-mono">{plus}</code> })}{' '}
        <Link href="/report" className={linkClass}>
          {t('footer.report')}
        </Link>
      </p>
      {links.length > 0 && (
        <ul className="mt-1 flex flex-wrap gap-x-5">
          {links.map(({ label, url }) => (
            <li key={`${label} ${url}`}>
              <a href={url} className={`inline-flex min-h-8 items-center ${linkClass}`}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        {Object.keys(LANGUAGES).length > 1 && <LanguageSwitch languages={Object.entries(LANGUAGES)} current={language} />}
        <SchemeSwitch sent={await pageScheme()} />
      </div>
    </footer>
  )
}
