'use client'

import { ChartColumn, ChevronDown, Keyboard, Link2, LogOut, Settings, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from '#i18n'
import { buttonClass } from '@/app/_ui/base/button'
import { runKey } from '@/app/_ui/base/keys'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '@/app/_ui/base/menu'
import { SCRIPTS_ONLY, WithoutScripts } from '@/app/_ui/base/without-scripts'
import { useInBrowser } from '@/app/_ui/data/use-in-browser'
import type { Scheme } from '@/lib/brand/scheme'

import { SchemeItems } from './scheme-items'
import { useLeave } from './use-leave'

export interface MenuAccount {
  name: string
  /** 8 digits. */
  handle: string
  admin: boolean
}

/** Where someone who is signed in can go, and the way out. */
export function AccountMenu({ account, scheme }: { account: MenuAccount; scheme: Scheme }) {
  const t = useTranslations('base.menu')
  const keys = useTranslations('commands.keys')
  const [busy, setBusy] = useState(false)
  // Before that there is nothing to open it with, and a click would be lost.
  const ready = useInBrowser()
  const leaveAccount = useLeave()
  const leave = async () => {
    setBusy(true)
    if (!(await leaveAccount())) setBusy(false)
  }
  return (
    <>
      <WithoutScripts>
        <a href="/dashboard" className={buttonClass('quiet', 'px-2 sm:px-3')}>
          {t('dashboard')}
        </a>
        <a href="/logout" className={buttonClass('secondary', 'mr-2 sm:mr-3', 'small')}>
          {t('signOut')}
        </a>
      </WithoutScripts>
      <Menu
        className="-ml-1 sm:-ml-3"
        trigger={
          <button
            type="button"
            aria-label={t('open', { name: account.name })}
            disabled={busy || !ready}
            className={buttonClass('quiet', `min-w-0 max-w-44 px-3 disabled:opacity-100! sm:max-w-64 ${SCRIPTS_ONLY}`)}
          >
            <span className="truncate">{account.name}</span>
            <ChevronDown aria-hidden="true" className="size-4 shrink-0" />
          </button>
        }
      >
        <p className="px-3 pt-2 pb-1.5 text-[13px] text-muted">
          {t.rich('handle', {
            handle: account.handle,
            number: (text) => <span className="font-mono text-fg">{text}</span>,
          })}
        </p>
        <MenuSeparator />
        <MenuLink icon={Link2} href="/dashboard">
          {t('links')}
        </MenuLink>
        <MenuLink icon={ChartColumn} href="/dashboard/overview">
          {t('overview')}
        </MenuLink>
        <MenuLink icon={Settings} href="/dashboard/settings">
          {t('settings')}
        </MenuLink>
        {account.admin && (
          <MenuLink icon={ShieldCheck} href="/admin">
            {t('admin')}
          </MenuLink>
        )}
        <MenuSeparator />
        <SchemeItems sent={scheme} />
        <MenuSeparator />
        <MenuItem icon={Keyboard} onSelect={() => runKey('?')}>
          {keys('title')}
        </MenuItem>
        <MenuItem icon={LogOut} onSelect={() => void leave()}>
          {t('signOut')}
        </MenuItem>
      </Menu>
    </>
  )
}
