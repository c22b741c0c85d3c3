import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.ts';
import { router } from './router.tsx';
import { keepForOffline } from './shell/offline.ts';
import { SignInGate } from './shell/sign-in-gate.tsx';
import './styles/index.css';

const place = document.getElementById('root');
if (!place) throw new Error('the page has no #root');

createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <SignInGate>
        <RouterProvider router={router} />
      </SignInGate>
    </QueryClientProvider>
  </StrictMode>,
);

keepForOffline();
