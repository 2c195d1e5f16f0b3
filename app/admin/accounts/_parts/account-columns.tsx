import { useTranslations } from '#i18n'
import { Amount } from '@/app/_ui/base/amount'
import { Badge } from '@/app/_ui/base/badge'
import type { Column } from '@/app/_ui/base/data-table'
import { Moment, QuietMoment } from '@/app/_ui/base/moment'
import { RowName } from '@/app/admin/_parts/row-name'
import type { AdminAccountView } from '@/lib/accounts/schemas'

export function useAccountColumns(open: (id: string) => void): Column<AdminAccountView>[] {
  const t = useTranslations('admin.accounts')
  return [
    {
      key: 'name',
      title: t('column.account'),
      narrow: 'line',
      cell: ({ id, name, handle, email }) => (
        <RowName name={<bdi>{name || handle}</bdi>} onOpen={() => open(id)}>
          <p className="truncate text-muted md:text-[13px]" title={email}>
            {email}
          </p>
        </RowName>
      ),
    },
    {
      key: 'handle',
      title: t('column.handle'),
      width: 'md:w-24 lg:w-28',
      cell: ({ handle }) => <span className="text-[13px] tabular-nums">{handle}</span>,
    },
    {
      key: 'links',
      title: t('column.links'),
      numeric: true,
      width: 'md:w-16 lg:w-24',
      cell: ({ links }) => <Amount value={links} />,
    },
    {
      key: 'state',
      title: t('column.state'),
      narrow: 'bare',
      width: 'md:w-28 lg:w-36',
      cell: (account) => <AccountBadges account={account} />,
    },
    {
      key: 'seen',
      title: t('column.seen'),
      width: 'md:w-28 lg:w-32',
      cell: ({ lastSeenAt }) => (
        <span className="text-[13px] text-muted">{lastSeenAt === null ? t('never') : <Moment iso={lastSeenAt} />}</span>
      ),
    },
    {
      key: 'created',
      title: t('column.created'),
      width: 'md:w-28 lg:w-32',
      cell: ({ createdAt }) => <QuietMoment iso={createdAt} />,
    },
  ]
}

/** What is out of the ordinary about an account. */
export function AccountBadges({ account: { role, banned, twoFactorEnabled } }: { account: AdminAccountView }) {
  const t = useTranslations('admin.accounts.state')
  if (role === 'user' && !banned && !twoFactorEnabled) return <span className="text-[13px] text-muted">{t('active')}</span>
  return (
    <span className="inline-flex flex-wrap gap-1">
      {banned && <Badge tone="danger">{t('banned')}</Badge>}
      {role === 'admin' && <Badge tone="ok">{t('admin')}</Badge>}
      {twoFactorEnabled && <Badge>{t('twoFactor')}</Badge>}
    </span>
  )
}
