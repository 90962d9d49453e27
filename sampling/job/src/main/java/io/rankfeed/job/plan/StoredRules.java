package io.rankfeed.job.plan;

import io.rankfeed.job.FeedSection;
import io.rankfeed.job.StrataColumn;
import io.rankfeed.sampling.plan.PoolSpan;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.ErrorList;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.selection.SelectedTrain;
import java.util.List;

/** Settings that a version cannot follow, because its rows, lists and lanes are stored. */
record StoredRules(FeedSection settings, SelectedTrain stored, StageConditions conditions, ErrorList errors) {
    /** @throws ConfigException if there are such; all after the first are suppressed in it */
    static void check(FeedSection settings, SelectedTrain stored, StageConditions conditions) {
        StoredRules rules = new StoredRules(settings, stored, conditions, new ErrorList());
        rules.checkChoice();
        rules.checkColumns();
        rules.checkBounds();
        rules.checkLanes();
        rules.checkMode();
        rules.errors.throwIfAny();
    }

    private void refuse(boolean written, String what) {
        if (written) {
            errors.check(() -> {
                throw new ConfigException("feed '" + stored.name() + "': " + what);
            });
        }
    }

    private void checkChoice() {
        refuse(
                settings.kind() != FeedSection.Kind.TRAIN,
                "kind: the version stores it as a train feed; leave kind out");
        refuseChoice(settings.where().isPresent(), "where");
        refuseChoice(settings.list().isPresent(), "list");
        refuseChoice(settings.orderBy().isPresent(), "order-by");
        refuseChoice(settings.pool() != PoolSpan.RUN, "pool");
        errors.check(() -> conditions.check(stored.name(), settings.stages()));
    }

    private void refuseChoice(boolean written, String key) {
        refuse(
                written,
                key + " chooses rows of a table, and a plan has those that the version stores; leave it out, or export"
                        + " a version with it");
    }

    private void checkColumns() {
        List<String> columns = VersionPlan.columns(stored);
        for (StrataColumn column : settings.strata()) {
            String name = column.displayName();
            refuse(
                    !columns.contains(name),
                    "strata column '" + name + "' is not one of the version" + Suggestion.hint(name, columns)
                            + "; export a version with it");
            refuse(
                    column.isBinned() || column.sql().isPresent(),
                    "strata column '" + name + "' has values or bins that the version stores; write its name alone, or"
                            + " export a version with others");
        }
    }

    /** Bounds are of whole strata, so they require all strata columns. */
    private void checkBounds() {
        boolean bounded = settings.floors().isPresent()
                || settings.caps().isPresent()
                || settings.stages().stream()
                        .anyMatch(stage ->
                                stage.floors().isPresent() || stage.caps().isPresent());
        refuse(
                bounded
                        && settings.strata().size()
                                < VersionPlan.columns(stored).size(),
                "floors and caps are of whole strata; name all strata columns of the version, "
                        + VersionPlan.columns(stored) + ", or leave them out");
        refuse(
                settings.onRare().filter(FeedSection.OnRare.REST::equals).isPresent(),
                "on-rare: rest makes one list of several strata, and the version stores a list for each; write on-rare:"
                        + " leave-out, or leave it out");
    }

    private void checkLanes() {
        errors.check(() -> VersionPlan.requireLanes(settings.lanes(), stored));
        refuse(
                settings.order() == RowOrder.PLANNED && stored.list().isHashed(),
                "order: planned keeps the order of lists, and those of the version have no order but that of a hash; write"
                        + " order: global, or export a version with order: planned");
    }

    private void checkMode() {
        long rows = stored.rows();
        long asked = settings.rowsAsked().orElse(rows);
        EpochMode mode = settings.epochMode();
        if (settings.mode().isPresent() && mode != EpochMode.STREAM) {
            refuse(
                    stored.strata().size() > 1,
                    "mode: " + mode.word() + " draws from one stratum, and the version stores "
                            + stored.strata().size() + "; write mode: stream, or leave it out");
        }
        if (VersionPlan.isWeighed(settings, stored)) {
            return;
        }
        refuse(
                mode != EpochMode.STREAM && asked > rows,
                "each epoch wants " + Plural.counted(asked, "row") + ", and the version stores " + rows
                        + "; request at most that many, or export a version with more");
        refuse(
                mode == EpochMode.PADDED && asked < rows,
                "mode: padded has every row that the version stores in every epoch; leave rows out, or request "
                        + rows);
        long ofLanes = rows / stored.lanes() * stored.lanes();
        refuse(
                mode == EpochMode.PASS && settings.lanes() < stored.lanes() && ofLanes < settings.batch(),
                Plural.counted(rows, "row") + " in " + stored.lanes() + " stored lanes do not fill a batch of "
                        + settings.batch() + "; lower the batch");
    }
}
