import { useTranslations } from '#i18n'
import { Badge } from '@/app/_ui/base/badge'
import { Button } from '@/app/_ui/base/button'
import { type Column, DataTable } from '@/app/_ui/base/data-table'
import { EmptyState } from '@/app/_ui/base/empty-state'
import { QuietMoment } from '@/app/_ui/base/moment'
import { listInvitations, revokeInvitation } from '@/app/_ui/data/admin'
import { useServerData } from '@/app/_ui/data/server-data'
import { AdminFailure } from '@/app/admin/_parts/admin-failure'
import { useAct } from '@/app/admin/_parts/use-act'
import type { InvitationView } from '@/lib/accounts/schemas'

function useColumns(): Column<InvitationView>[] {
  const t = useTranslations('admin.accounts.invitations')
  return [
    {
      key: 'for',
      title: t('for'),
      narrow: 'line',
      cell: ({ email }) =>
        email ? <span className="font-medium text-anywhere">{email}</span> : <span className="text-muted">{t('anyone')}</span>,
    },
    {
      key: 'state',
      title: t('state'),
      narrow: 'bare',
      width: 'md:w-28',
      cell: (invitation) => <State invitation={invitation} />,
    },
    {
      key: 'by',
      title: t('by'),
      width: 'md:w-24 lg:w-32',
      cell: ({ createdBy }) => <bdi className="text-[13px]">{createdBy || '–'}</bdi>,
    },
    { key: 'created', title: t('created'), width: 'md:w-28 lg:w-32', cell: ({ createdAt }) => <QuietMoment iso={createdAt} /> },
    { key: 'expires', title: t('expires'), width: 'md:w-28 lg:w-32', cell: ({ expiresAt }) => <QuietMoment iso={expiresAt} /> },
  ]
}

const isOpen = ({ usedBy, expiresAt }: InvitationView) => usedBy === null && Date.parse(expiresAt) > Date.now()

function State({ invitation }: { invitation: InvitationView }) {
  const t = useTranslations('admin.accounts.invitations')
  const { usedBy } = invitation
  if (usedBy !== null) return <Badge tone="ok">{usedBy ? t('usedBy', { name: usedBy }) : t('used')}</Badge>
  return isOpen(invitation) ? <Badge>{t('open')}</Badge> : <Badge tone="warn">{t('expired')}</Badge>
}

export function InvitationsTab() {
  const t = useTranslations('admin.accounts.invitations')
  const { act } = useAct()
  const columns = useColumns()
  const { value, failure, reload } = useServerData(['invitations'], listInvitations)
  const revoke = async ({ id }: InvitationView) => {
    await act(revokeInvitation(id), { done: t('revoked'), failed: t('notRevoked') })
    reload()
  }
  return (
    <>
      {failure && <AdminFailure failure={failure} stale={value !== null} onAgain={reload} />}
      {!(failure && value === null) && (
        <DataTable
          caption={t('caption')}
          columns={columns}
          rows={value?.invitations ?? null}
          keyOf={({ id }) => id}
          nameOf={({ email }) => email || t('anyone')}
          actions={(invitation) =>
            isOpen(invitation) && (
              <Button
                size="small"
                aria-label={invitation.email ? t('revokeFor', { email: invitation.email }) : t('revokeAnyone')}
                onClick={() => void revoke(invitation)}
              >
                {t('revoke')}
              </Button>
            )
          }
          actionsWidth="md:w-28"
          empty={<EmptyState title={t('empty.title')} text={t('empty.text')} />}
        />
      )}
    </>
  )
}
