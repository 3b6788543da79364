import { Link, Outlet, useLocation } from 'react-router';

import classes from './shell.module.css';

const parts = [
  { path: '/connections', name: 'Connections' },
  { path: '/testbeds', name: 'Testbeds' },
  { path: '/lab', name: 'Demo lab' },
];

/** The three lists of the Lab, one beside the other. */
export function LabPlace() {
  const { pathname } = useLocation();
  return (
    <>
      <nav aria-label="Lab" className={classes.parts}>
        {parts.map(({ path, name }) => (
          <Link key={path} to={path} aria-current={pathname === path ? 'page' : undefined}>
            {name}
          </Link>
        ))}
      </nav>
      <Outlet />
    </>
  );
}
