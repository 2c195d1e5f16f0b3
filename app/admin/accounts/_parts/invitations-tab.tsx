import { Badge } from '@/app/_ui/base/badge'
import { Button } from '@/app/_ui/base/button'
import { type Column, DataTable } from '@/app/_ui/base/data-table'
import { EmptyState } from '@/app/_ui/base/empty-state'
import { QuietMoment } from '@/app/_ui/base/moment'
import { listInvitations, revokeInvitation } from '@/app/_ui/data/admin'
import { useServerData } from '@/app/_ui/data/server-data'
import { act } from '@/app/admin/_parts/act'
import { AdminFailure } from '@/app/admin/_parts/admin-failure'
import type { InvitationView } from '@/lib/accounts/schemas'

const COLUMNS: Column<InvitationView>[] = [
  {
    key: 'for',
    title: 'For',
    narrow: 'line',
    cell: ({ email }) =>
      email ? (
        <span className="font-medium text-anywhere">{email}</span>
      ) : (
        <span className="text-muted">Anyone with the link</span>
      ),
  },
  { key: 'state', title: 'State', narrow: 'bare', width: 'md:w-40', cell: (invitation) => <State invitation={invitation} /> },
  {
    key: 'by',
    title: 'Made by',
    width: 'md:w-40',
    cell: ({ createdBy }) => <bdi className="text-[13px]">{createdBy || '–'}</bdi>,
  },
  { key: 'created', title: 'Made', width: 'md:w-32', cell: ({ createdAt }) => <QuietMoment iso={createdAt} /> },
  { key: 'expires', title: 'Open until', width: 'md:w-32', cell: ({ expiresAt }) => <QuietMoment iso={expiresAt} /> },
]

const isOpen = ({ usedBy, expiresAt }: InvitationView) => usedBy === null && Date.parse(expiresAt) > Date.now()

function State({ invitation }: { invitation: InvitationView }) {
  if (invitation.usedBy !== null) return <Badge tone="ok">Used{invitation.usedBy && ` by ${invitation.usedBy}`}</Badge>
  return isOpen(invitation) ? <Badge>Open</Badge> : <Badge tone="warn">Expired</Badge>
}

export function InvitationsTab() {
  const { value, failure, reload } = useServerData(['invitations'], listInvitations)
  const revoke = async ({ id, email }: InvitationView) => {
    await act(revokeInvitation(id), {
      done: email ? `${email} can no longer use the invitation` : 'The invitation can no longer be used',
      failed: 'The invitation was not revoked',
    })
    reload()
  }
  return (
    <>
      {failure && <AdminFailure failure={failure} stale={value !== null} onAgain={reload} />}
      {!(failure && value === null) && (
        <DataTable
          caption="Invitations"
          columns={COLUMNS}
          rows={value?.invitations ?? null}
          keyOf={({ id }) => id}
          nameOf={({ email }) => email || 'anyone with the link'}
          actions={(invitation) =>
            isOpen(invitation) && (
              <Button size="small" onClick={() => void revoke(invitation)}>
                Revoke<span className="sr-only"> the invitation of {invitation.email || 'anyone with the link'}</span>
              </Button>
            )
          }
          actionsWidth="md:w-28"
          empty={<EmptyState title="No invitations" text="Invite someone, and the invitation waits here until it is used." />}
        />
      )}
    </>
  )
}
