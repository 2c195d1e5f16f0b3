import Link from 'next/link'
import { Logo } from '@/app/_ui/base/logo'
import { MainNav } from './main-nav'

export function SiteHeader() {
  return (
    <header className="mx-auto flex h-16 w-full max-w-5xl items-center justify-between gap-3 px-4 sm:px-6">
      <Link
        href="/"
        className="-ml-2 inline-flex shrink-0 items-center gap-2.5 rounded-control px-2 py-2 text-lg font-semibold tracking-tight"
      >
        <Logo />
        Terse
      </Link>
      <MainNav />
    </header>
  )
}

export function SiteFooter() {
  return (
    <footer className="mx-auto w-full max-w-5xl px-4 pt-16 pb-8 text-[13px] text-muted sm:px-6">
      <p>
        Terse, a URL shortener you host yourself. Add <code className="font-mono">+</code> to a short link to see where it leads.{' '}
        <Link href="/report" className="underline underline-offset-2 hover:text-fg">
          Report a link
        </Link>
      </p>
    </footer>
  )
}
