'use client'

import Link from 'next/link'
import { Moment } from '@/app/_ui/base/moment'
import { getAccount } from '@/app/_ui/data/admin'
import { formatNumber } from '@/app/_ui/data/numbers'
import { useServerData } from '@/app/_ui/data/server-data'
import { DetailDrawer } from '@/app/admin/_parts/detail-drawer'
import { Fact, Facts, Part, TimeFact } from '@/app/admin/_parts/facts'
import type { AdminAccountView } from '@/lib/accounts/schemas'
import { AccountActions } from './account-actions'
import { AccountBadges } from './account-columns'

interface Props {
  id: string
  onChanged: () => void
  onClose: () => void
}

/** An account, and what can be done with it. */
export function AccountDrawer({ id, onChanged, onClose }: Props) {
  const account = useServerData(['admin account', id], (signal) => getAccount(id, signal))
  return (
    <DetailDrawer
      name="Account"
      resource={account}
      head={({ name, handle, email }) => ({ title: name || handle, description: email })}
      onClose={onClose}
    >
      {(view) => (
        <>
          <AccountActions
            account={view}
            onChanged={() => {
              account.reload()
              onChanged()
            }}
            onRemoved={() => {
              onClose()
              onChanged()
            }}
          />
          <Part title="Details">
            <AccountFacts account={view} />
          </Part>
        </>
      )}
    </DetailDrawer>
  )
}

const linkClass = 'text-accent underline-offset-4 hover:underline'

function AccountFacts({ account }: { account: AdminAccountView }) {
  return (
    <Facts>
      <Fact name="State">
        <AccountBadges account={account} />
      </Fact>
      {account.banned && (
        <>
          <Fact name="Reason of the ban">{account.banReason ? <bdi>{account.banReason}</bdi> : 'None given'}</Fact>
          <Fact name="Banned until">
            {account.banExpires === null ? 'It is lifted' : <Moment iso={account.banExpires} exact />}
          </Fact>
        </>
      )}
      <Fact name="Handle">{account.handle}</Fact>
      <Fact name="Role">{account.role === 'admin' ? 'Admin' : 'User'}</Fact>
      <Fact name="Links">
        <Link href={`/admin/links?owner=${account.id}`} prefetch={false} className={linkClass}>
          {formatNumber(account.links)}
        </Link>
      </Fact>
      <Fact name="Signed in on">{account.sessions === 1 ? '1 device' : `${formatNumber(account.sessions)} devices`}</Fact>
      <Fact name="Last seen">{account.lastSeenAt === null ? 'Never' : <Moment iso={account.lastSeenAt} exact />}</Fact>
      <TimeFact name="Since" iso={account.createdAt} />
      <Fact name="E-mail address">{account.emailVerified ? 'Verified' : 'Not verified'}</Fact>
      <Fact name="Second factor">{account.twoFactorEnabled ? 'On' : 'Off'}</Fact>
      <Fact name="As an admin">
        <Link href={`/admin/audit?actor=${account.id}`} prefetch={false} className={linkClass}>
          What it did
        </Link>
      </Fact>
    </Facts>
  )
}
