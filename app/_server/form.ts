import { cache } from 'react'
import type { SentForm } from '@/lib/forms/sent'
import { runtime } from '@/lib/runtime'

/** The form that this page was asked for with, where it was sent without scripts; null most times. */
export const sentForm = cache(async (): Promise<SentForm | null> => (await runtime()).scope.getStore()?.sent ?? null)
