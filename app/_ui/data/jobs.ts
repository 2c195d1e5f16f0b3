import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import type { z } from 'zod'
import type { Failure } from '@/lib/forms/failure'
import type { JobItemPage, JobItemView, JobPage, JobView } from '@/lib/jobs/schemas'
import { hasEnded } from '@/lib/jobs/values'
import { type Result, send } from './http'
import { valueOrThrow } from './server-data'

type Items = z.infer<typeof JobItemPage>

const POLL_MS = 500
/** While it waits for its owner, in this window or another. */
const WAITING_MS = 5000
/** After a failure, for the server to get its breath back. */
const RETRY_MS = 3000

export const isWaiting = ({ state }: JobView) => state === 'paused' || state === 'checked'
export const getJob = (number: string, signal?: AbortSignal) => send<JobView>('GET', `/api/v1/jobs/${number}`, { signal })
/** What its owner can have done to a job: it answers the job that goes on, for an undo another one. */
export type JobStep = 'cancel' | 'pause' | 'resume' | 'start' | 'undo'
export const stepJob = (number: string, step: JobStep) => send<JobView>('POST', `/api/v1/jobs/${number}/${step}`)
/** Starts an import that was checked. @param owners accounts, by the names that owners have in its rows */
export const startImport = (number: string, owners: Readonly<Record<string, string>>) =>
  send<JobView>('POST', `/api/v1/jobs/${number}/start`, { body: { owners } })
export const cancelJob = (number: string) => send<JobView>('POST', `/api/v1/jobs/${number}/cancel`)

/** Jobs, the newest first: one's own, or everyone's for an admin. */
export const listJobs = (cursor: string | null, signal?: AbortSignal) =>
  send<z.infer<typeof JobPage>>('GET', `/api/v1/jobs?${new URLSearchParams({ limit: '10', ...(cursor && { cursor }) })}`, {
    signal,
  })

/** The newest jobs of the account alone, of admins too. */
export const listOwnJobs = (signal?: AbortSignal) =>
  send<z.infer<typeof JobPage>>('GET', '/api/v1/jobs?own=true&limit=50', { signal })

interface ItemsQuery {
  /** null: whatever became of them. */
  outcome: JobItemView['outcome'] | null
  cursor: string | null
}

/** What became of the rows of a job. */
export function getJobItems(number: string, { outcome, cursor }: ItemsQuery, signal?: AbortSignal): Promise<Result<Items>> {
  const query = new URLSearchParams({ limit: '100', ...(outcome && { outcome }), ...(cursor && { cursor }) })
  return send('GET', `/api/v1/jobs/${number}/items?${query}`, { signal })
}

/**
 * A job as it goes on, until it is over.
 * @param onOver called once, with the job as it ended
 */
export function useJob(first: JobView, onOver: (job: JobView) => void): { job: JobView; failure: Failure | null } {
  const { number } = first
  const { data: job = first, error } = useQuery({
    queryKey: ['job', number],
    queryFn: ({ signal }) => valueOrThrow(getJob(number, signal)),
    refetchInterval: ({ state: { data, error } }) => {
      if ((data && hasEnded(data)) || error?.kind === 'gone') return false
      // Nothing happens before it is told to go on, which is told here too.
      if (data && isWaiting(data)) return WAITING_MS
      return error ? RETRY_MS : POLL_MS
    },
    refetchIntervalInBackground: true,
  })
  const over = hasEnded(job)
  const ended = useEffectEvent(() => onOver(job))
  useEffect(() => {
    if (over) ended()
  }, [over])
  return { job, failure: error }
}
