'use client'

import dynamic from 'next/dynamic'
import type { ComponentProps } from 'react'
import type { AccountMenu as Menu } from './account-menu'
import type { Commands as Keys } from './commands'

// Split off, so that strangers load none of it.
const AccountMenu = dynamic(() => import('./account-menu').then((module) => module.AccountMenu))
const Commands = dynamic(() => import('./commands').then((module) => module.Commands))

/** What the header has for who is signed in. */
export function SignedInNav({ account, scheme, pages, singleKeys }: ComponentProps<typeof Menu> & ComponentProps<typeof Keys>) {
  return (
    <>
      <Commands pages={pages} singleKeys={singleKeys} />
      <AccountMenu account={account} scheme={scheme} />
    </>
  )
}
