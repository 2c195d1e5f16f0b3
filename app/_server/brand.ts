import type { Brand } from '@/lib/brand/brand'
import { runtime } from '@/lib/runtime'

/** The name, mark and colours of this deployment, for server components. */
export const brand = async (): Promise<Brand> => (await runtime()).brand
