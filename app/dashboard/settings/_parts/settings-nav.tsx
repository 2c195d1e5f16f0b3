'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { useTranslations } from '#i18n'

const BASE = '/dashboard/settings'

const PAGES = [
  { href: BASE, name: 'profile' },
  { href: `${BASE}/security`, name: 'security' },
  { href: `${BASE}/keys`, name: 'keys' },
  { href: `${BASE}/data`, name: 'data' },
] as const

/** The pages of the settings: beside them, or above them on a narrow screen. */
export function SettingsNav() {
  const t = useTranslations('settings')
  const path = usePathname()
  return (
    <nav aria-label={t('nav.label')} className="-mx-4 overflow-x-auto px-4 md:mx-0 md:w-44 md:shrink-0 md:px-0">
      <ul className="flex gap-1 md:flex-col">
        {PAGES.map(({ href, name }) => (
          <li key={href}>
            <Link
              href={href}
              prefetch={false}
              aria-current={path === href ? 'page' : undefined}
              className={
                'flex h-11 items-center rounded-control px-3 text-sm font-medium whitespace-nowrap text-muted hover:text-fg ' +
                'aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent md:h-10'
              }
            >
              {t(`nav.${name}`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
