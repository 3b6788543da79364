import { Link, Outlet, useLocation } from 'react-router';

import { labParts } from './labParts.ts';
import classes from './shell.module.css';

/** The three lists of the Lab, one beside the other. */
export function LabPlace() {
  const { pathname } = useLocation();
  return (
    <>
      <nav aria-label="Lab" className={classes.parts}>
        {labParts.map(({ path, name }) => (
          <Link key={path} to={path} aria-current={pathname === path ? 'page' : undefined}>
            {name}
          </Link>
        ))}
      </nav>
      <Outlet />
    </>
  );
}
