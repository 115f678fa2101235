//! `cargo bench -p fablegrade-benches --bench engine [-- NAME]`
#![allow(missing_docs, clippy::missing_docs_in_private_items, reason = "a benchmark")]

use criterion::{Criterion, criterion_group, criterion_main};

fn engine(criterion: &mut Criterion) {
    for scenario in fablegrade_benches::scenarios() {
        criterion.bench_function(&scenario.name, |bencher| {
            let mut run = scenario.prepare();
            bencher.iter(&mut run);
        });
    }
}

criterion_group!(benches, engine);
criterion_main!(benches);
