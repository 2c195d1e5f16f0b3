import type { ComponentProps } from 'react'
import { AccountMenu } from './account-menu'
import { Commands } from './commands'

type Props = ComponentProps<typeof AccountMenu> & ComponentProps<typeof Commands>

/** Both come as one, so that keys work as soon as the menu does. */
export function SignedIn({ account, scheme, pages, singleKeys }: Props) {
  return (
    <>
      <Commands pages={pages} singleKeys={singleKeys} />
      <AccountMenu account={account} scheme={scheme} />
    </>
  )
}
