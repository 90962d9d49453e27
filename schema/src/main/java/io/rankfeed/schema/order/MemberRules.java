package io.rankfeed.schema.order;

import static io.rankfeed.schema.order.Rules.require;

import java.util.List;

/** Checks how the members of a {@link TrainFeed} fit to it (docs/format/plan.md, sections 1, 3.6, 10.1 and 11.1). */
final class MemberRules {
    private MemberRules() {}

    static void check(TrainFeed feed) {
        String where = "feed '" + feed.name() + "': ";
        List<Member> members = feed.members();
        require(!members.isEmpty(), where + "has no member");
        Rules.requireSorted(members.stream().map(Member::name).toList(), where + "members");
        require(
                members.size() == 1
                        || (feed.mode() == EpochMode.STREAM && feed.order() == RowOrder.GLOBAL && feed.window() == 1),
                where + "several members require mode stream, order global and window 1");
        long counters = 0;
        for (Member member : members) {
            String of = where + "member '" + member.name() + "': ";
            require(
                    member.lanes() % feed.lanes() == 0,
                    of + feed.lanes() + " lanes of the order do not divide the " + member.lanes() + " stored lanes");
            require(
                    feed.order() == RowOrder.GLOBAL || member.cycles() == RowCycles.LIST,
                    of + "order planned requires cycles list, not "
                            + member.cycles().word());
            require(
                    member.source().isPresent() == feed.isStored(),
                    of + "all members must name their versions, or none");
            require(feed.isStored() || isOfPlan(feed), of + "pools of a plan require its own lanes and cycles");
            counters += (long) member.lanes() * member.strata().size();
        }
        require(
                counters <= OrderLimits.MAX_COUNTERS,
                where + "stored lanes times strata, " + counters + " over all members, exceed "
                        + OrderLimits.MAX_COUNTERS);
    }

    /** Whether the feed has the members of format 1, but that the first cycle may be shuffled. */
    private static boolean isOfPlan(TrainFeed feed) {
        Member only = feed.members().get(0);
        Member own = Member.ofPlan(feed.name(), feed.lanes(), feed.order(), only.strata());
        boolean isShuffled = only.cycles() == RowCycles.SHUFFLED && feed.order() == RowOrder.GLOBAL;
        return feed.members().size() == 1
                && (only.equals(own)
                        || (isShuffled
                                && only.equals(new Member(
                                        own.name(), own.source(), own.lanes(), only.cycles(), own.strata()))));
    }
}
