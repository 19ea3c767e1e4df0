import { instanceCachingFactory, type DependencyContainer, type InjectionToken } from 'tsyringe';

/** Registers what is made once per container, on first use. Constructors stay plain: nothing is injected by decorators. */
export function singleton<T>(
  container: DependencyContainer,
  token: InjectionToken<T>,
  create: (container: DependencyContainer) => T,
): void {
  container.register(token, { useFactory: instanceCachingFactory(create) });
}
