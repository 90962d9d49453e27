package io.rankfeed.job;

import io.rankfeed.sampling.plan.OnShortage;
import io.rankfeed.sampling.plan.PoolSpan;
import io.rankfeed.sampling.plan.StageEnd;
import io.rankfeed.schema.config.BadValue;

/** Settings that a feed with nested selection refuses: with them, more rows could replace earlier ones (docs/job-file/nested.md). */
record NestedRules(String feed) {
    /** @throws BadValue naming the feed and the key */
    static void check(String name, FeedSection feed, PrepareSection prepare) {
        if (feed.nested()) {
            new NestedRules(name).check(feed, prepare);
        }
    }

    private void check(FeedSection feed, PrepareSection prepare) {
        if (prepare.key().isEmpty()) {
            throw new BadValue(
                    "sample",
                    this.feed
                            + ".nested: identifies rows across versions of the table, but there is no prepare.key; name the"
                            + " columns that identify a row");
        }
        boolean margins = feed.margins().isPresent()
                || feed.stages().stream().anyMatch(stage -> stage.margins().isPresent());
        boolean bounds = feed.floors().isPresent()
                || feed.caps().isPresent()
                || feed.stages().stream()
                        .anyMatch(stage ->
                                stage.floors().isPresent() || stage.caps().isPresent());
        refuse(margins, "margins", "a stratum may lose rows to others as more rows are requested");
        refuse(bounds, "floors and caps", "a stratum may lose rows to others as more rows are requested");
        refuse(feed.proportional().isPresent(), "proportional", "shares follow the table's");
        refuse(
                feed.strata().stream().anyMatch(StrataColumn::hasQuantiles),
                "quantiles",
                "bins follow the table's rows");
        refuse(
                feed.stages().stream().anyMatch(stage -> stage.where().isPresent()),
                "a stage's where",
                "shares follow the table's");
        refuse(
                feed.onRare().filter(FeedSection.OnRare.REST::equals).isPresent(),
                "on-rare: rest",
                "a stratum leaves the rest as more rows are requested");
        refuse(
                feed.onShortage() == OnShortage.REDISTRIBUTE,
                "on-shortage: redistribute",
                "strata fill up less where others have more");
        refuse(feed.pool() == PoolSpan.EPOCH, "pool: epoch", "the most demanding epoch may need less in a longer run");
        long relative = feed.stages().stream()
                .filter(stage -> stage.end() instanceof StageEnd.Fraction || stage.end() instanceof StageEnd.Epoch)
                .count();
        long counted = feed.stages().stream()
                .filter(stage -> stage.end() instanceof StageEnd.Step || stage.end() instanceof StageEnd.Rows)
                .count();
        refuse(
                relative > 0 && counted > 0,
                "stages of which some end with a part of the run and others after steps or rows",
                "one may be shorter in a longer run");
    }

    private void refuse(boolean written, String what, String why) {
        if (written) {
            throw new BadValue(
                    "sample",
                    feed + ".nested: cannot be combined with " + what + ": " + why + "; leave one of them out");
        }
    }
}
