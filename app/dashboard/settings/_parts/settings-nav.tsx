'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { useTranslations } from '#i18n'
import type { AppPage } from '@/app/_server/pages'

/** The pages of the settings: beside them, or above them on a narrow screen. */
export function SettingsNav({ pages }: { pages: readonly AppPage[] }) {
  const t = useTranslations('settings')
  const path = usePathname()
  const marked = useRef<HTMLAnchorElement>(null)
  // On a narrow screen it may be out of sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another is marked
  useEffect(() => {
    // Newer browsers answer with a promise, which React would take for what is to be done at the end.
    void marked.current?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [path])
  return (
    <nav aria-label={t('nav.label')} className="-mx-4 overflow-x-auto md:mx-0 md:w-44 md:shrink-0">
      <ul className="flex w-max gap-1 px-4 md:w-auto md:flex-col md:px-0">
        {pages.map(({ href, label }) => (
          <li key={href}>
            <Link
              ref={path === href ? marked : undefined}
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
