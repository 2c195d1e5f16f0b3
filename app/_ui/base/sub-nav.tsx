'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { useEffect, useRef } from 'react'

interface Props {
  label: string
  links: readonly { href: string; label: string }[]
}

/** The pages of one part of the app, side by side; the current one is marked. */
export function SubNav({ label, links }: Props) {
  const path = usePathname()
  // A page may have others below it, but for the one that all of these are below.
  const isAbove = (href: string) => links.some((link) => link.href.startsWith(`${href}/`))
  const current = links.find(({ href }) => path === href || (!isAbove(href) && path.startsWith(`${href}/`)))
  const marked = useRef<HTMLAnchorElement>(null)
  // On a narrow screen it may be out of sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another is marked
  useEffect(() => {
    // Newer browsers answer with a promise, which React would take for what is to be done at the end.
    void marked.current?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [current?.href])
  return (
    <nav aria-label={label} className="-mx-4 mb-6 overflow-x-auto border-b border-line sm:mx-0">
      <ul className="flex w-max gap-1 px-4 sm:px-0">
        {links.map((link) => (
          <li key={link.href}>
            <Link
              ref={link === current ? marked : undefined}
              href={link.href}
              prefetch={false}
              aria-current={link === current ? 'page' : undefined}
              className={
                '-mb-px inline-flex h-11 items-center border-b-2 border-transparent px-3 text-sm font-medium whitespace-nowrap ' +
                'text-muted hover:text-fg focus-visible:-outline-offset-2 aria-[current=page]:border-accent aria-[current=page]:text-fg'
              }
            >
              {link.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
