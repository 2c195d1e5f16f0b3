'use client'

import Link from 'next/link'
import { useTranslations } from '#i18n'
import { Moment } from '@/app/_ui/base/moment'
import { getAccount } from '@/app/_ui/data/admin'
import { useFormat } from '@/app/_ui/data/format'
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
  const t = useTranslations('admin.accounts.drawer')
  const account = useServerData(['admin account', id], (signal) => getAccount(id, signal))
  return (
    <DetailDrawer
      name={t('name')}
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
          <Part title={t('details')}>
            <AccountFacts account={view} />
          </Part>
        </>
      )}
    </DetailDrawer>
  )
}

const linkClass = 'text-accent underline-offset-4 hover:underline'

function AccountFacts({ account }: { account: AdminAccountView }) {
  const t = useTranslations('admin.accounts')
  const format = useFormat()
  return (
    <Facts>
      <Fact name={t('fact.state')}>
        <AccountBadges account={account} />
      </Fact>
      {account.banned && (
        <>
          <Fact name={t('fact.banReason')}>{account.banReason ? <bdi>{account.banReason}</bdi> : t('fact.noReason')}</Fact>
          <Fact name={t('fact.banExpires')}>
            {account.banExpires === null ? t('never') : <Moment iso={account.banExpires} exact />}
          </Fact>
        </>
      )}
      <Fact name={t('fact.handle')}>{account.handle}</Fact>
      {account.username && <Fact name={t('fact.username')}>@{account.username}</Fact>}
      <Fact name={t('fact.role')}>{account.role === 'admin' ? t('role.admin') : t('role.user')}</Fact>
      <Fact name={t('fact.links')}>
        <Link href={`/admin/links?owner=${account.id}`} prefetch={false} className={linkClass}>
          {format.number(account.links)}
        </Link>
      </Fact>
      <Fact name={t('fact.devices')}>{t('devices', { count: account.sessions })}</Fact>
      <Fact name={t('fact.seen')}>{account.lastSeenAt === null ? t('never') : <Moment iso={account.lastSeenAt} exact />}</Fact>
      <TimeFact name={t('fact.created')} iso={account.createdAt} />
      <Fact name={t('fact.email')}>{account.emailVerified ? t('email.verified') : t('email.unverified')}</Fact>
      <Fact name={t('fact.twoFactor')}>{account.twoFactorEnabled ? t('twoFactor.on') : t('twoFactor.off')}</Fact>
      <Fact name={t('fact.activity')}>
        <Link href={`/admin/audit?actor=${account.id}`} prefetch={false} className={linkClass}>
          {t('showActivity')}
        </Link>
      </Fact>
    </Facts>
  )
}
