'use client'

import dynamic from 'next/dynamic'

/** What the header has for who is signed in. Split off, so that strangers load none of it. */
export const SignedInNav = dynamic(() => import('./signed-in').then((module) => module.SignedIn))
