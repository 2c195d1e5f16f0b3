import type { z } from 'zod'
import type { HealthSetting } from '@/lib/destinations/health'
import { send } from './http'

export type Health = z.output<typeof HealthSetting>

/** Whether the destinations of one's links are checked, and what was found. */
export const getHealthSetting = (signal?: AbortSignal) => send<Health>('GET', '/api/v1/account/health', { signal })
export const setHealthSetting = (enabled: boolean) => send<Health>('PUT', '/api/v1/account/health', { body: { enabled } })
