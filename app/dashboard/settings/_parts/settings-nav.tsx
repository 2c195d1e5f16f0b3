'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'

const BASE = '/dashboard/settings'

const PAGES = [
  { href: BASE, label: 'Profile' },
  { href: `${BASE}/security`, label: 'Security' },
  { href: `${BASE}/keys`, label: 'API keys' },
  { href: `${BASE}/data`, label: 'Data' },
]

/** The pages of the settings: beside them, or above them on a narrow screen. */
export function SettingsNav() {
  const path = usePathname()
  return (
    <nav aria-label="Settings" className="-mx-4 overflow-x-auto px-4 md:mx-0 md:w-44 md:shrink-0 md:px-0">
      <ul className="flex gap-1 md:flex-col">
        {PAGES.map(({ href, label }) => (
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
