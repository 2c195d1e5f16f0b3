'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { useTranslations } from '#i18n'
import type { AppPage } from '@/app/_server/pages'

/** The pages of the settings: beside them, or above them on a narrow screen. */
export function SettingsNav({ pages }: { pages: readonly AppPage[] }) {
  const t = useTranslations('settings')
  const path = usePathname()
  return (
    <nav aria-label={t('nav.label')} className="-mx-3 md:mx-0 md:w-44 md:shrink-0">
      <ul className="flex flex-wrap gap-1 md:flex-col">
        {pages.map(({ href, label }) => (
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
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
