'use client'

import { ChartColumn, ChevronDown, Link2, LogOut, Settings, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import { buttonClass } from '@/app/_ui/base/button'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '@/app/_ui/base/menu'
import { useInBrowser } from '@/app/_ui/base/use-in-browser'
import { SCRIPTS_ONLY, WithoutScripts } from '@/app/_ui/base/without-scripts'
import { signOut } from '@/app/_ui/data/auth-client'

export interface MenuAccount {
  name: string
  /** 8 digits. */
  handle: string
  admin: boolean
}

/** Where someone who is signed in can go, and the way out. */
export function AccountMenu({ account }: { account: MenuAccount }) {
  const [busy, setBusy] = useState(false)
  // Before that there is nothing to open it with, and a click would be lost.
  const ready = useInBrowser()
  const leave = async () => {
    setBusy(true)
    const result = await signOut()
    // A page of its own, so that nothing of the account stays behind in this one.
    if (result.ok) return location.assign('/')
    setBusy(false)
    toast('You are still signed in', { description: result.failure.message })
  }
  return (
    <>
      <WithoutScripts>
        <a href="/dashboard" className={buttonClass('quiet', 'px-2 sm:px-3')}>
          Dashboard
        </a>
        <a href="/logout" className={buttonClass('secondary', 'mr-2 sm:mr-3', 'small')}>
          Sign out
        </a>
      </WithoutScripts>
      <Menu
        trigger={
          <button
            type="button"
            disabled={busy || !ready}
            className={buttonClass('quiet', `min-w-0 max-w-44 px-3 disabled:opacity-100! sm:max-w-64 ${SCRIPTS_ONLY}`)}
          >
            <span className="sr-only">Account of </span>
            <span className="truncate">{account.name}</span>
            <ChevronDown aria-hidden="true" className="size-4 shrink-0" />
          </button>
        }
      >
        <p className="px-3 pt-2 pb-1.5 text-[13px] text-muted">
          Handle <span className="font-mono text-fg">{account.handle}</span>
        </p>
        <MenuSeparator />
        <MenuLink icon={Link2} href="/dashboard">
          Links
        </MenuLink>
        <MenuLink icon={ChartColumn} href="/dashboard/overview">
          Overview
        </MenuLink>
        <MenuLink icon={Settings} href="/dashboard/settings">
          Settings
        </MenuLink>
        {account.admin && (
          <MenuLink icon={ShieldCheck} href="/admin">
            Administration
          </MenuLink>
        )}
        <MenuSeparator />
        <MenuItem icon={LogOut} onSelect={() => void leave()}>
          Sign out
        </MenuItem>
      </Menu>
    </>
  )
}
