#!/usr/bin/env python3
"""Makes data sets and the answers that SciPy, NumPy, statsmodels and arch give for them.

Run:  python3 -m venv /tmp/stats && /tmp/stats/bin/pip install scipy statsmodels arch
      /tmp/stats/bin/python bench/stats-check.py
Writes src/core/stats/testing/scipy.json, with which scipy.test.ts compares src/core/stats. The seed is fixed: the
file changes only where this script or one of the libraries does.
"""
import json
import math
import pathlib
import warnings

import arch
import numpy as np
import scipy
import statsmodels
from arch.bootstrap import optimal_block_length
from scipy import stats
from statsmodels.stats.multitest import multipletests

random = np.random.default_rng(20261121)


def ar1(n, phi):
    out = np.empty(n)
    out[0] = random.normal() / math.sqrt(1 - phi * phi)
    for i in range(1, n):
        out[i] = phi * out[i - 1] + random.normal()
    return out


kinds = {
    "normal": lambda n: random.normal(100, 5, n),
    "lognormal": lambda n: random.lognormal(3, 0.8, n),
    "exponential": lambda n: random.exponential(20, n),
    "uniform": lambda n: random.uniform(-5, 5, n),
    "heavy tails": lambda n: random.standard_t(2.2, n) * 10 + 300,
    "far from zero": lambda n: 1e6 + random.normal(0, 1, n),
    "tiny": lambda n: random.normal(3e-6, 1e-7, n),
    "ties": lambda n: np.round(random.normal(10, 1.5, n)),
    "latency, two modes": lambda n: np.where(random.random(n) < 0.9, random.normal(4, 0.5, n), random.normal(40, 6, n)),
    "autocorrelated": lambda n: 1000 + 30 * ar1(n, 0.7),
    "rates, one decimal": lambda n: np.round(random.normal(812, 14, n), 1),
    "far apart": lambda n: random.normal(random.choice([1, 1000]), 0.5, n),
}
sizes = [(2, 2), (3, 3), (2, 7), (5, 5), (12, 4), (40, 25)]


def digits(value):
    return float(np.format_float_positional(value, precision=12, unique=False, fractional=False)) if math.isfinite(value) else None


def numbers(values):
    return [float(f"{v:.12g}") for v in values]


def data_set(kind, n, m):
    a, b = numbers(kinds[kind](n)), numbers(kinds[kind](m) * random.choice([1, 1.01, 1.2]))
    x, y = np.array(a), np.array(b)
    welch = stats.ttest_ind(y, x, equal_var=False)
    interval = welch.confidence_interval(0.95)
    se = math.sqrt(x.var(ddof=1) / n + y.var(ddof=1) / m)
    edges = np.histogram_bin_edges(x, bins="fd")
    table = stats.ecdf(x).cdf
    cv = math.sqrt(((n - 1) * x.var(ddof=1) / x.mean() ** 2 + (m - 1) * y.var(ddof=1) / y.mean() ** 2) / (n + m - 2))
    shares = [0, 0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1]
    grid = np.linspace(x.min(), x.max(), 8)
    return {
        "kind": kind, "a": a, "b": b,
        "mean": digits(x.mean()), "variance": digits(x.var(ddof=1)),
        "quantiles": [digits(q) for q in np.quantile(x, shares)],
        "welch": {"df": digits(welch.df), "p": digits(welch.pvalue), "low": digits(interval.low), "high": digits(interval.high),
                  "detectable": digits((stats.t.ppf(0.975, welch.df) + stats.t.ppf(0.8, welch.df)) * se)},
        "cv": digits(cv),
        "fdBins": len(edges) - 1,
        "edges": grid.tolist(), "counts": np.histogram(x, grid)[0].tolist(),
        "ecdf": {"x": table.quantiles.tolist(), "p": [digits(p) for p in table.probabilities]},
    }


def student():
    rows = []
    for df in [0.5, 1, 1.37, 2, 2.941, 4, 7.5, 30, 250, 1e5]:
        for t in [-40, -3.2, -1, -1e-3, 0.4, 1.96, 12]:
            rows.append([df, t, digits(stats.t.cdf(t, df)), digits(2 * stats.t.sf(abs(t), df))])
    quantiles = [[df, p, digits(stats.t.ppf(p, df))] for df in [1, 1.37, 2, 2.941, 4, 7.5, 30, 250, 1e5] for p in [1e-6, 0.025, 0.2, 0.8, 0.975, 0.9995]]
    beta = [[x, a, b, digits(stats.beta.cdf(x, a, b))] for x in [1e-4, 0.2, 0.5, 0.9, 0.9999] for a, b in [(0.5, 0.5), (2, 3), (50, 0.5), (300, 400), (0.1, 20)]]
    return {"cdf": rows, "quantile": quantiles, "beta": beta}


def block_length(x):
    """Politis and White 2004, corrected 2009: the smallest m after which the next K_N autocorrelations are small.

    arch takes the first small lag itself, one more than the paper's m; so it is kept beside, not instead.
    """
    n = len(x)
    e = x - x.mean()
    kn = max(5, math.ceil(math.sqrt(math.log10(n))))
    most = math.ceil(math.sqrt(n)) + kn
    r = np.correlate(e, e, "full")[n - 1:n + most] / n
    small = np.abs(r / r[0]) < 2 * math.sqrt(math.log10(n) / n)
    quiet = [m for m in range(1, most - kn + 1) if small[m + 1:m + kn + 1].all()]
    m = quiet[0] if quiet else max([k for k in range(1, most + 1) if not small[k]], default=1)
    width = min(2 * m, most)
    k = np.arange(1, width + 1)
    flat_top = np.clip(2 * (1 - k / width), 0, 1)
    g = 2 * np.sum(flat_top * k * r[1:width + 1])
    long = r[0] + 2 * np.sum(flat_top * r[1:width + 1])
    return min((2 * g * g / (2 * long * long)) ** (1 / 3) * n ** (1 / 3), math.ceil(min(3 * math.sqrt(n), n / 3)))


def blocks():
    rows = []
    for n in [120, 400]:
        for phi in [0, 0.3, 0.6, 0.9, -0.5]:
            values = [float(f"{v:.4f}") for v in ar1(n, phi)]
            rows.append({"phi": phi, "values": values, "length": digits(block_length(np.array(values))), "arch": digits(optimal_block_length(np.array(values))["stationary"].iloc[0])})
    return rows


def adjusted():
    rows = []
    for n in [1, 2, 5, 12]:
        p = [float(f"{v:.6f}") for v in random.random(n) ** 3]
        rows.append({"p": p, "holm": [digits(v) for v in multipletests(p, method="holm")[1]]})
    return rows


# SciPy warns of data that are nearly identical; "tiny" and "ties" are there for that.
warnings.simplefilter("ignore")
answers = {
    "made": f"bench/stats-check.py with SciPy {scipy.__version__}, NumPy {np.__version__}, statsmodels {statsmodels.__version__}, arch {arch.__version__}",
    "shares": [0, 0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1],
    "sets": [data_set(kind, n, m) for kind in kinds for n, m in sizes],
    "student": student(), "blocks": blocks(), "holm": adjusted(),
}
path = pathlib.Path(__file__).resolve().parent.parent / "src" / "shared" / "stats" / "testing" / "scipy.json"
path.parent.mkdir(exist_ok=True)
path.write_text(json.dumps(answers, separators=(",", ":")) + "\n")
print(f"{len(answers['sets'])} data sets, {path.stat().st_size} bytes: {path}")
