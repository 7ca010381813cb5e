// Warnings about literals that name a network but none of its atoms, and no warnings about others.
#include "language/reading.hpp"

#include <gtest/gtest.h>

namespace neurasp::language::test {
namespace {

const std::string networks = "nn(weather(1,D),[sun,rain,snow]) :- day(D).\n"
                             "nn(cell(2,board),[empty,full]).\n"
                             "day(d).\n";

std::string found(const std::string &statement) { return mistakes(networks + statement); }

TEST(NetworkUses, RightAtomsAreFine) {
    EXPECT_EQ(found("a :- weather(0,d,rain), not cell(1,board,full), weather(0,D,W), day(D)."), "");
    EXPECT_EQ(found(":~ weather(0,d,snow). [1]"), "");
    EXPECT_EQ(found("#show weather/3. #show X : weather(0,d,X)."), "");
}

TEST(NetworkUses, WrongOutcomesEventsAndArgumentsAreTold) {
    EXPECT_EQ(found("a :- weather(0,d,fog)."), "4:18 unknown-outcome");
    EXPECT_EQ(found("a :- not weather(1,d,sun)."), "4:18 unknown-event");
    EXPECT_EQ(found("a :- cell(2,board,full), cell(-1,board,full)."),
              "4:11 unknown-event; 4:31 unknown-event");
    EXPECT_EQ(found("a :- 1 { weather(0,D,fog) : day(D) }."), "4:22 unknown-outcome");
    EXPECT_EQ(found("a :- weather(d,sun)."), "4:6 network-arity");
    EXPECT_EQ(found("a :- weather(d)=sun."), "4:6 network-arity");
    EXPECT_EQ(found("a :- weather(0,d)=fog."), "4:19 unknown-outcome");
    EXPECT_EQ(found("a :- not weather(1,d)=sun."), "4:18 unknown-event");
}

TEST(NetworkUses, ComparisonsOfTermsAreWarnedOf) {
    EXPECT_EQ(found("a :- weather(0,d)!=sun."), "4:6 constant-comparison");
    EXPECT_EQ(found("a :- cell(I,board)<full, I=0..1."), "4:6 constant-comparison");
    EXPECT_EQ(found("a :- X=weather(0,d)."), "4:6 constant-comparison");
    EXPECT_EQ(found("a :- not sun=weather(0,d)."), "4:10 constant-comparison");
    EXPECT_EQ(first_hint(networks + "a :- sun != weather(0,d)."), "write 'not weather(0,d)=sun'");
    // other arities, other names and terms inside of others are the user's own
    EXPECT_EQ(found("a :- X=weather(d), X=cell, X!=other(0,d), X=f(weather(0,d)), other(0,d)=X."),
              "");
}

TEST(NetworkUses, EqualsMakesAnAtom) {
    const auto lowered = [](const std::string &statement) {
        const Reading reading = read_program(statement + " nn(w(1,D),[sun,rain]) :- day(D).");
        EXPECT_EQ(reading.findings(), "") << statement;
        return reading.lowered().substr(0, reading.lowered().find(". ") + 1);
    };
    EXPECT_EQ(lowered("a :- w(0,d)=sun."), "a :- w(0,d ,sun).");
    EXPECT_EQ(lowered("a(X) :- not w(0,D) = X, b(D,X)."), "a(X) :- not w(0,D  , X), b(D,X).");
    EXPECT_EQ(lowered("a :- w(0,d) == sun."), "a :- w(0,d  ,  sun).");
    EXPECT_EQ(lowered("{a : w(0,D)=sun}."), "{a : w(0,D ,sun)}.");
    EXPECT_EQ(lowered("a :- 1 #sum { 2 : w(0,D)=sun }."), "a :- 1 #sum { 2 : w(0,D ,sun)}.");
    EXPECT_EQ(lowered("a :- w(0,d;0,e)=sun."), "a :- w(0,d,sun;0,e ,sun).");
    EXPECT_EQ(lowered("not w(0,d)=sun."), "not w(0,d ,sun).");
    EXPECT_EQ(lowered("a :- v(0,d)=sun."), "a :- v(0,d)=sun."); // no network
    EXPECT_EQ(read_on_top("nn(w(1,x),[sun,rain]).", {Role::query, "w(0,X)=sun"}).lowered(),
              "__neurasp_query(0) :- w(0,X ,sun).\n");
    EXPECT_EQ(mistakes("nn(w(1,x),[a,b]). 0.5 : w(0,x)=a | 0.5 : w(0,x)=c."),
              "1:25 network-atom-in-head");
}

TEST(NetworkUses, WhatOnlyGroundingTellsIsPassedOver) {
    EXPECT_EQ(found("#const fog=sun. a :- weather(0,d,fog)."), "");
    EXPECT_EQ(found("a :- cell(1+1,board,full), cell(X,board,full), X=1..9."), "");
    EXPECT_EQ(mistakes("#const n=2. nn(cell(n,board),[empty,full]). a :- cell(7,board,full)."), "");
    EXPECT_EQ(mistakes("k(x). nn(cell(1,b),[K,f(K)]) :- k(K). a :- cell(0,b,other)."), "");
}

TEST(NetworkUses, AtomsThatARuleDerivesAreTheUsersOwn) {
    EXPECT_EQ(found("weather(d,rain). a :- weather(d,rain), weather(d,hail)."), "");
    EXPECT_EQ(found("weather(9,d,mist) :- day(d). a :- weather(9,d,mist)."), "");
    EXPECT_EQ(found("0.5 : weather(d). a :- weather(d)."), "");
    EXPECT_EQ(found("weather(0,d)=sun :- day(d). a :- weather(0,d)=fog."),
              "4:1 network-atom-in-head");
}

TEST(NetworkUses, FewWarningsAreEnough) {
    std::string many;
    for (int i = 0; i < 200; ++i) many += "a :- weather(0,d,fog).\n";
    EXPECT_EQ(read_program(networks + many).diagnostics.all().size(), 20U);
    EXPECT_FALSE(read_program(networks + many).diagnostics.has_errors());
    EXPECT_EQ(read_program(networks + many + "b(.\n").diagnostics.error_count(), 1U);
}

TEST(NetworkUses, FactsThatOnlyObservationsStateAreFine) {
    const std::string base = networks + "wet :- weather(0,d,rain).\n";
    EXPECT_EQ(read_on_top(base, {Role::observation, "wet."}).findings(), "1:1 observed-fact");
    EXPECT_EQ(read_on_top(base, {Role::observation, "wet. :- not wet."}).findings(), "");
    EXPECT_EQ(read_on_top(base, {Role::observation, "day(e). sky(blue)."}).findings(), "");
}

} // namespace
} // namespace neurasp::language::test
